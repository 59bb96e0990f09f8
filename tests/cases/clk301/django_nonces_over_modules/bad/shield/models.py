from django.db import models


class Used(models.Model):
    value = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

from datetime import timedelta

from django.http import JsonResponse
from django.utils import timezone
from shop.cards import charge
from shop.models import Attempt

STALE = timedelta(minutes=2)


def pay(request, key: str):
    made = Attempt.objects.filter(key=key).first()
    if made is not None and made.phase == "finished":
        return JsonResponse(made.answer)
    if made is not None and made.begun_at > timezone.now() - STALE:
        return JsonResponse({"error": "in progress"}, status=409)
    made = made or Attempt(key=key)
    made.phase = "charging"
    made.begun_at = timezone.now()
    made.save()
    made.answer = charge(request.POST["card"], int(request.POST["cents"]), idempotency_key=key)
    made.phase = "finished"
    made.save()
    return JsonResponse(made.answer)

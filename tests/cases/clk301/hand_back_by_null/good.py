"""Letters wait in a table; a printer takes one by writing its name."""

from datetime import timedelta

from django.utils import timezone
from post.models import Letter

SILENT = timedelta(minutes=15)


def free_stuck() -> int:
    stuck = Letter.objects.filter(printer__isnull=False, taken_at__lt=timezone.now() - SILENT)
    return stuck.update(printer=None, taken_at=None)


def take(printer: str) -> Letter | None:
    letter = Letter.objects.select_for_update(skip_locked=True).filter(printer__isnull=True, printed=False).first()
    if letter is not None:
        letter.printer = printer
        letter.taken_at = timezone.now()
        letter.save()
    return letter


def done(letter: Letter) -> bool:
    mine = Letter.objects.filter(pk=letter.pk, printer=letter.printer)
    return mine.update(printed=True, printer=None) == 1

from datetime import timedelta

from reach import no_earlier

BEFORE = timedelta(days=30)


def assemble(sensors, accident, shelf) -> None:
    begin = no_earlier(accident.happened_at - BEFORE)  # expect: ANC103
    shelf.save_dossier(accident.number, sensors.between(begin, accident.happened_at))
    accident.dossier = "whole"

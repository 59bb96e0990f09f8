from datetime import timedelta

from reach import no_earlier

BEFORE = timedelta(days=30)


def assemble(sensors, accident, shelf) -> None:
    wanted = accident.happened_at - BEFORE
    begin = no_earlier(wanted)
    shelf.save_dossier(accident.number, sensors.between(begin, accident.happened_at))
    accident.dossier = "whole" if begin == wanted else "partial"

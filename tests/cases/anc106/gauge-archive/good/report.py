from gauges import level, reaches


def line(event):
    if not reaches(event.peak_s):
        return "levels go back three weeks"
    reading = level(event.station, event.peak_s)
    if reading.problem:
        return "level not available"
    return f"{reading.value} cm"

from gauges import level, reaches


def line(event):
    reading = level(event.station, event.peak_s)
    if reading.problem or not reaches(event.peak_s):
        return "level not available"  # expect: ANC106
    return f"{reading.value} cm"

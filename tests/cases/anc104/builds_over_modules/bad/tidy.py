from rows import Build


def tidy(builds: list[Build]) -> int:
    closed = 0
    for build in builds:
        if build.result == "open" and build.too_old():
            build.result = "vanished"  # expect: ANC104
            closed += 1
    return closed

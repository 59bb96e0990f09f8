import serial

from link import Link


class Dead(Exception):
    pass


def read_out(link: Link, record) -> None:
    while True:
        try:
            record(link.line.readline())
            link.faults = 0
        except serial.SerialException as error:
            link.faults += 1
            if link.faults > 8:
                raise Dead(link.port) from error
            link.reopen()

import serial


class Link:
    def __init__(self, port: str) -> None:
        self.port = port
        self.faults = 0
        self.line = serial.Serial(port)

    def reopen(self) -> None:
        self.line.close()
        self.line = serial.Serial(self.port)

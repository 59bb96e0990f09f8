class Valve:
    def __init__(self, motor):
        self.motor = motor
        self.highest: dict[str, int] = {}

    def on_command(self, command) -> None:
        if command.seq <= self.highest.get(command.sender, -1):
            return
        self.highest[command.sender] = command.seq
        self.motor.turn(command.steps)

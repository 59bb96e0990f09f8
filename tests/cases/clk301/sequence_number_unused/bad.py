import time

REMEMBER_S = 3600


class Valve:
    def __init__(self, motor):
        self.motor = motor
        self.done: dict[tuple[str, int], float] = {}

    def on_command(self, command) -> None:
        self.forget()
        key = (command.sender, command.seq)
        if key in self.done:
            return
        self.done[key] = time.time()
        self.motor.turn(command.steps)

    def forget(self) -> None:
        for key, at in list(self.done.items()):
            if time.time() - at > REMEMBER_S:  # expect: CLK301
                del self.done[key]

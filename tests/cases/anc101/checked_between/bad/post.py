from dataclasses import replace

from letters import Letter, Refused, inspect


def deliver(smtp, letter: Letter) -> None:
    inspect(letter)
    smtp.sendmail(letter.to, letter.stamp)


def rounds(bag, smtp) -> None:
    while True:
        letter = bag.get()
        try:
            deliver(smtp, letter)
        except Refused:
            if letter.tries < 6:
                bag.put(replace(letter, tries=letter.tries + 1))

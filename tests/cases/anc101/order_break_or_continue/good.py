import time

ANSWERABLE_S = 15 * 60


def answer(token, chat):
    tries = 0
    while tries < 10:
        tries += 1
        if time.time() - token.issued_at > ANSWERABLE_S:
            break
        if chat.reply(token.value):
            return True
    return False

from guard import acquire


def run(month: str, me: str, bank, people) -> int:
    turn = acquire(f"payroll-{month}", me)
    if turn is None:
        return 0
    paid = 0
    for person in people:
        bank.transfer(person.account, person.cents, turn)
        paid += 1
    return paid

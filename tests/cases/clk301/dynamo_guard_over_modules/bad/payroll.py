from guard import acquire, release


def run(month: str, me: str, bank, people) -> int:
    if not acquire(f"payroll-{month}", me):
        return 0
    paid = 0
    for person in people:
        bank.transfer(person.account, person.cents)
        paid += 1
    release(f"payroll-{month}")
    return paid

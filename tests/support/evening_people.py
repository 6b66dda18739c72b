from tests.support.browser import Visitor


def set_table(host: Visitor) -> None:
    host.open("/")
    host.page.fill("[name=name]", "Ann")
    host.page.click("text=Set a table")
    host.wait_for("lobby")


def invitation(host: Visitor) -> str:
    return str(host.page.get_attribute("[data-copy-link]", "data-copy-link"))

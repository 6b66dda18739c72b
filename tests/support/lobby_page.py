from tests.support.browser import BrowserPlayer


def create_table(host: BrowserPlayer) -> None:
    host.open("/")
    host.page.fill("[name=name]", "Ann")
    host.page.click("text=Set a table")
    host.wait_for("lobby")


def invitation_link(host: BrowserPlayer) -> str:
    return str(host.page.get_attribute("[data-copy-link]", "data-copy-link"))

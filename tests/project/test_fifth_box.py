"""The example of a box in a package of its own."""

from pathlib import Path

from tests.support.fifth_box import EXAMPLE, installed_environment, run_python


def test_the_tests_of_the_example_and_those_with_it_pass_where_it_is_installed(tmp_path: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-W", "error", "-o", "addopts=")
    folders = [str(EXAMPLE / "tests"), str(Path(__file__).parents[1] / "fifth_box")]
    result = run_python("-m", "pytest", *options, *folders, environment=installed_environment(tmp_path))
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_house_rule_of_the_contributing_page_is_a_complete_box(tmp_path: Path) -> None:
    page = (EXAMPLE.parents[1] / "docs" / "contributing.md").read_text(encoding="utf-8")
    section = page.partition("## A box of your own")[2]
    path = tmp_path / "house.py"
    path.write_text(section.partition("```python\n")[2].partition("```")[0])
    words = (
        "simulate",
        "--box",
        str(path),
        "--boxes",
        "house",
        "--games",
        "2",
        "--bots",
        "steady",
        "--records",
        str(tmp_path),
    )
    result = run_python("-W", "error", "-m", "argentum", *words, environment={})
    assert result.returncode == 0, result.stderr
    assert "boxes: dddddddddhdddd" in next(iter(tmp_path.glob("*.silver"))).read_text()


def test_no_module_of_argentum_names_the_example() -> None:
    sources = (EXAMPLE.parents[1] / "src").rglob("*.py")
    assert [path for path in sources if "argentum_pewter" in path.read_text(encoding="utf-8")] == []

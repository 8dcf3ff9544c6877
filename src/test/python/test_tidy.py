"""The shape of the Python sources, beside the rules for all languages that TidyTest holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src" / "main" / "python"
FILES = sorted(file for file in PACKAGE.rglob("*.py"))
TESTS = sorted(Path(__file__).parent.rglob("*.py"))
MAX_FUNCTION_LINES = 60

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def places(file: Path, nodes: Iterator[ast.AST]) -> list[str]:
    return [f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}" for node in nodes]


def public(node: ast.AST) -> Iterator[ast.AST]:
    """A module or class and what is public in it, functions inside functions left out."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*Function, ast.ClassDef)) and not child.name.startswith("_"):
            yield from public(child) if isinstance(child, ast.ClassDef) else [child]


def test_should_find_the_package() -> None:
    assert FILES


@pytest.mark.parametrize("file", FILES + TESTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_should_keep_functions_short(file: Path) -> None:
    long = (
        node
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, Function) and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
    )
    assert places(file, long) == [], f"more than {MAX_FUNCTION_LINES} lines do not fit a screen: extract the steps"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_should_describe_what_is_public(file: Path) -> None:
    source = file.read_text()
    silent = (
        node
        for node in public(ast.parse(source))
        if not ast.get_docstring(node)  # type: ignore[arg-type]
    )
    assert not source.strip() or places(file, silent) == [], "public modules, classes and functions have a docstring"

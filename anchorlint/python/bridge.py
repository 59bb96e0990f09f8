"""Syntax newer than the running Python, rewritten by libcst to an older form that keeps every line in place."""

from __future__ import annotations

import re

# libcst recurses in native code, which ends the process when its stack is used up, long after people stop nesting.
MOST_NESTED = 500
_DEEP = re.compile(
    rf"(?:[-+~(\[{{]\s*|(?:not|await)\s+|lambda[^:\n]{{0,80}}:\s*){{{MOST_NESTED}}}"
    rf"|(?:\.\w+|\(\)|\[\w*\]){{{MOST_NESTED}}}"
    rf"|(?:[\w.]+\s*(?:[-+*/%|&^@<>=!]{{1,3}}|and\b|or\b|if\s+\w+\s+else\b)\s*){{{MOST_NESTED}}}"
)


def older_form(text: str) -> str | None:
    """The text in a form that an older `ast` reads, with the same lines; None where libcst cannot read it either."""
    if text.count("elif") > 2 * MOST_NESTED or _DEEP.search(text):
        return None
    import libcst

    try:
        return libcst.parse_module(text).visit(_transformer()).code
    except (libcst.ParserSyntaxError, RecursionError, ValueError):
        return None


def _transformer() -> object:
    import libcst as cst

    class Older(cst.CSTTransformer):
        """`except A, B:` gets its parentheses; type parameters go; `type X = …` becomes an assignment."""

        def leave_ExceptHandler(
            self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
        ) -> cst.ExceptHandler:
            kind = updated_node.type
            if isinstance(kind, cst.Tuple) and not kind.lpar:
                return updated_node.with_changes(
                    type=kind.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
                )
            return updated_node

        def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
            return updated_node.with_changes(type_parameters=None)

        def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
            return updated_node.with_changes(type_parameters=None)

        def leave_TypeAlias(self, original_node: cst.TypeAlias, updated_node: cst.TypeAlias) -> cst.Assign:
            return cst.Assign([cst.AssignTarget(updated_node.name)], updated_node.value)

        def leave_FormattedString(
            self, original_node: cst.FormattedString, updated_node: cst.FormattedString
        ) -> cst.BaseExpression:
            return updated_node if _reads(updated_node) else _flat(updated_node)

    def _reads(node: cst.FormattedString) -> bool:
        import ast

        try:
            ast.parse(cst.Module([]).code_for_node(node), mode="eval")
        except (SyntaxError, ValueError):
            return False
        return True

    def _flat(node: cst.FormattedString) -> cst.BaseExpression:
        # a nested f-string of the newer grammar: its lines stay, what it says is not read
        lines = cst.Module([]).code_for_node(node).count("\n")
        return cst.SimpleString("'''" + "\n" * lines + "'''") if lines else cst.SimpleString("''")

    return Older()

"""What type checkers are told."""

import ast
import inspect
from importlib.resources import files

from filch import _filch


def test_the_stubs_have_the_functions_of_the_module_with_their_arguments():
    stubs = ast.parse(files("filch").joinpath("_filch.pyi").read_text())
    told = {node.name: [each.arg for each in node.args.args] for node in stubs.body if type(node) is ast.FunctionDef}
    functions = inspect.getmembers(_filch, inspect.isbuiltin)
    assert told == {name: list(inspect.signature(function).parameters) for name, function in functions}

"""Kernels that call kernels are linked once, by whoever Python calls, and kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# `top` calls `bottom` on two ways; `short` passes over `right` and `spare`, which `long` needs after it
RULES = """
from ludens.core.kernel import kernel, large_kernel

@large_kernel
def bottom(x):
    return 2 * x + 1

@large_kernel
def spare(x):
    return bottom(x) + 100

@large_kernel
def left(x):
    return bottom(x) + 1

@large_kernel
def right(x):
    return spare(x) - bottom(x)

@kernel
def top(x):
    return 1000 * left(x) + right(x)

@kernel
def short(x):
    return left(x)

@kernel
def long(x):
    return short(x) + top(x) + spare(x)

@kernel
def total(values, x):
    out = 0.0
    for value in values:
        out += value * right(x)
    return out
"""

CODE = """
import json
import numba
import numpy as np
from numba.core import codegen

def library(function):  # of its only version
    return type(next(iter(function.overloads.values())).library).__name__

@numba.njit
def early(x):
    return x - 1

plain = [early(2)]
stock = [codegen.JITCPUCodegen._library_class.__name__, *([] if numba.config.DISABLE_JIT else [library(early)])]

import diamond
from ludens.core import kernel, listen

compiled = []
listen.on_compile(lambda kernel, package: compiled.append(kernel))

@numba.njit
def inner(x):
    return x + 1

@numba.njit
def outer(values):
    return values[inner(0)] + inner(1)

@numba.njit
def late(values):
    return outer(values) * 2.0

@numba.njit
def caller(values):  # no kernel, but it calls two
    return values[0] * diamond.short(3) + diamond.long(3)

plain.append(float(outer(np.array([1.0, 2.0]))))
kernels = [diamond.short(3), diamond.top(3), diamond.long(3), diamond.total(np.ones(4), 3), diamond.long(np.int8(5))]
plain += [float(late(np.array([1.0, 2.0]))), inner(2.5), caller(np.ones(1))]
told = {"kernels": [float(k) for k in kernels], "plain": plain, "compiled": compiled}
if kernel.JIT:
    stock += [codegen.JITCPUCodegen._library_class.__name__, library(outer), library(late), library(caller)]
    told |= {"stock": stock, "ours": [library(diamond.top), library(diamond.total)]}
print(json.dumps(told))
"""


def start(folder: Path, rules: str = RULES, **env: str) -> dict[str, Any]:
    """Run the code in a Python of its own, which finds the rules in the folder and keeps its kernels there."""
    (folder / "diamond.py").write_text(rules)
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    kept = {**os.environ, "PYTHONPATH": path, "LUDENS_CACHE": str(folder / "cache"), **env}
    done = subprocess.run([sys.executable, "-c", CODE], env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def expected() -> dict[str, list[float]]:
    def top(x: int) -> int:
        return 1000 * (2 * x + 2) + 100

    def long(x: int) -> int:
        return 2 * x + 2 + top(x) + 2 * x + 101

    return {"kernels": [8, top(3), long(3), 400, long(5)], "plain": [1, 4, 8, 3.5, 8 + long(3)]}


def test_kernels_in_a_diamond_run_and_are_kept(tmp_path: Path) -> None:
    first = start(tmp_path)
    assert {name: first[name] for name in expected()} == expected()
    assert sorted(first["compiled"]) == ["long", "short", "top", "total"]  # what Python calls, once each
    again = start(tmp_path)
    assert {name: again[name] for name in expected()} == expected()
    assert again["compiled"] == []


def test_a_changed_callee_is_noticed(tmp_path: Path) -> None:
    start(tmp_path)
    changed = start(tmp_path, RULES.replace("return bottom(x) + 1\n", "return bottom(x) + 2\n"))
    assert changed["kernels"][0] == 9


def test_uncompiled_they_say_the_same(tmp_path: Path) -> None:
    assert start(tmp_path, NUMBA_DISABLE_JIT="1")["kernels"] == expected()["kernels"]


def test_functions_that_are_no_kernels_keep_numbas_own_library(tmp_path: Path) -> None:
    told = start(tmp_path)
    assert set(told["stock"]) == {"JITCodeLibrary"}
    assert set(told["ours"]) == {"_Library"}

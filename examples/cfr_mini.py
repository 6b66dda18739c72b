"""Solve the mini game with OpenSpiel's CFR and CFR+, and plot their convergence: python examples/cfr_mini.py cfr.svg

The game tree is exported once in Gambit's format, so that OpenSpiel's C++ solvers can read it. This requires the extras
`openspiel` and `plot`, and takes some minutes.
"""

import sys

import matplotlib as mpl
import pyspiel
from matplotlib import pyplot
from open_spiel.python.algorithms.gambit import export_gambit

import argentum.envs.openspiel.mini  # noqa: F401  # registers the game

SOLVERS = {"CFR": pyspiel.CFRSolver, "CFR+": pyspiel.CFRPlusSolver}
MEASURED_ITERATIONS = [4**power for power in range(7)]


def run_solver(name: str, game: pyspiel.Game) -> list[float]:
    """Run a solver; return the exploitability of its average policy after each of `MEASURED_ITERATIONS`."""
    solver = SOLVERS[name](game)
    values: list[float] = []
    for iteration in range(1, MEASURED_ITERATIONS[-1] + 1):
        solver.evaluate_and_update_policy()
        if iteration in MEASURED_ITERATIONS:
            values.append(pyspiel.exploitability(game, solver.average_policy()))
            print(f"{name:4} {iteration:5} iterations: exploitability {values[-1]:.6f} points", flush=True)
    average = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), average, -1, True)[0]
    print(f"{name:4} value of the game for the first seat: {value:.4f} points")
    return values


def main(picture: str) -> None:
    """Run both solvers and save a plot of the exploitability of their policies."""
    game = pyspiel.load_efg_game(export_gambit(pyspiel.load_game("python_silver_mini")))
    mpl.rcParams["svg.hashsalt"] = "argentum"  # reproducible SVG files
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for name in SOLVERS:
        axes.plot(MEASURED_ITERATIONS, run_solver(name, game), marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="exploitability (points)")
    axes.set_xticks(MEASURED_ITERATIONS, labels=[str(iteration) for iteration in MEASURED_ITERATIONS], minor=False)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(picture, metadata={"Date": None} if picture.endswith(".svg") else None)


if __name__ == "__main__":
    print(__doc__) if "--help" in sys.argv else main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)

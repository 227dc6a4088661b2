# SPDX-License-Identifier: MIT
"""Every public function of the library is reached from Python, or there is a reason why not."""

import pathlib
import re

import linkwork as lw
from conftest import ROOT
from linkwork import _declarations as declared

# A reason: what reaches the same in another way, or what Python has no use for.
SAME = {
    "answers of one state: Robot's questions call lw_answer() and lw_batch_answer()": """lw_answer_many lw_bias lw_coriolis
        lw_energy lw_forward_dynamics lw_gibbs lw_gravity lw_inertia_matrix lw_inertia_matrix_packed
        lw_inertia_matrix_packed_many lw_inverse_dynamics lw_jacobian lw_pose lw_reactions lw_snake_answer
        lw_specialised_answer""",
    "the wrench is an input of every question": "lw_workspace_set_wrench",
    "names are compared in Python, which suggests the nearest": """lw_integrator_method_find lw_method_auto lw_method_find
        lw_method_is lw_snake_method_find lw_design_word lw_joint_word lw_loop_word lw_warning_id""",
    "counts, sizes and copies that arrays and objects of Python have": """lw_diag_count lw_joint_def_lock lw_joint_size
        lw_loop_type_rows lw_model_effort lw_model_joint_type lw_parameter_exists lw_schedule_value lw_study_worker_batch
        lw_snake_is_uniform""",
    "files that were opened, for programs that watch them": "lw_diag_file lw_diag_file_count",
    "descriptions are read from text, or changed by replace()": "lw_joint_def lw_robot_def lw_scenario_set_model",
    "Robot.drives() and Robot.joint_loads() take whole motions": "lw_joint_loads lw_joint_rotor lw_sizing_add lw_sizing_end",
    "Robot.counts()": "lw_question_measure",
    "Study.run() computes what is missing; parts of a study are for the program": """lw_results_done lw_results_faults
        lw_results_goal lw_results_next lw_results_only lw_results_put""",
    "reached by simulate() of the scenario, which has them": "lw_scenario_cylinders lw_scenario_springs lw_spring_torque",
    "refusals come with the call itself": "lw_quad_available lw_excite_least_duration lw_materials_read_file lw_integrator_steps",
    "convert() keeps meaning; what moved is in the program's notes": "lw_expressed_keeps_frame lw_expressed_reason",
    "Exact pose: rotations are exact, other forms of them are for the program": "lw_quad_rotation",
    "instruction set, for `linkwork doctor` and benchmarks": """lw_workspace_isa lw_snake_workspace_isa
        lw_snake_workspace_method""",
    "Robot.to_speeds() of one vector": "lw_loops_on_speeds",
    "of the formulations, docs/loops.md says which take redundant rows": "lw_formulation_takes_redundant",
    "rows of loops that hold velocities: Robot.loop_rows names them": "lw_model_rolling_rows",
    "page() says so": "lw_page_available",
    "for programs that give the library memory of their own, or show findings while a file is read": """lw_diag_watch
        lw_memory_set_allocator""",
}
EXCEPTIONS = {name: reason for reason, names in SAME.items() for name in names.split()}


def reached():
    folder = pathlib.Path(lw.__file__).parent
    words = "".join(path.read_text() for path in folder.glob("_*.py") if path.name != "_declarations.py")
    native = (ROOT / "python/linkwork/_native.c").read_text()
    return set(re.findall(r"\blw_[a-z0-9_]+", words + native))


def test_every_public_function_is_reached():
    exported = set((ROOT / "src/exports/linkwork.txt").read_text().split())
    assert set(declared.FUNCTIONS) == exported  # the headers say the same
    missing = exported - reached() - set(EXCEPTIONS)
    assert not missing, f"not reached from Python, and no reason given: {', '.join(sorted(missing))}"


def test_exceptions_are_needed():
    exported = set((ROOT / "src/exports/linkwork.txt").read_text().split())
    assert not set(EXCEPTIONS) - exported, "no such public functions"
    assert not set(EXCEPTIONS) & reached(), "these are reached: no exception is needed"
    assert len(EXCEPTIONS) < len(exported) / 6

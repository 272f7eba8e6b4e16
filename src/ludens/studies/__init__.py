"""Studies: published figures, each beside what we measure and the command that measures it.

``ludens study liars-dice`` runs one. A study is a list of rows (`study.py`); `report.py` makes tables of it.
"""

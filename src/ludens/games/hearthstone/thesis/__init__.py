"""The scripted agents of a bachelor thesis about Hearthstone (Ohman, Charles University, 2016), rebuilt."""

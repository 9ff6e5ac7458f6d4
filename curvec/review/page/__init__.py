"""The parts of the review page, each a function of the model that gives what the templates lay out."""

"""A model as a function of its y values, with its knots fixed: what distilling and refining move them by.

``design`` is the vector of all values and the score's derivative by it; ``constraints`` what the values must obey, and
the ridge; ``quadratic`` the exact least squares step; ``level_groups`` keeps the groups of a table's levels;
``precision`` says at which decimal place values end, and ``printed`` puts rounded values into the model.
"""

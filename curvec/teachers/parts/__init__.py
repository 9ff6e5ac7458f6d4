"""What the adapters share: files and trees, functions of one feature, curves and tables, the comparison."""

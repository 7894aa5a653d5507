"""The rows of the ACTIONS table, one module per perspective and one for the window itself."""

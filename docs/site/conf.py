"""The site of the documents, by Sphinx: see tools/site, which gathers them."""
project = "linkwork"
copyright = "the authors of linkwork"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "linkwork"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}

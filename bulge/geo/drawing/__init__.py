"""Drawing maps as SVG: hex maps (`draw_map`), maps of spaces and tracks (`draw_graph_map`), PNG from either."""

from bulge.geo.drawing.counters import Counter
from bulge.geo.drawing.graph import draw_graph_map, graph_board
from bulge.geo.drawing.png import save_png, to_png
from bulge.geo.drawing.sheet import draw_board, draw_map

__all__ = ["Counter", "draw_board", "draw_graph_map", "draw_map", "graph_board", "save_png", "to_png"]

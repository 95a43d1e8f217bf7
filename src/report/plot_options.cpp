#include "unroll/core/option_field.h"
#include "unroll/report/plot.h"

namespace unroll {

OptionFields PlotOptions::fields() {
  using O = PlotOptions;
  return {
      field<&O::title>("title", any_value(), "Words above the picture."),
      field<&O::axes>("axes", at_least(0), "Two coordinates, from 0, or one, drawn as a strip."),
      field<&O::aspect>("aspect", any_value(),
                        "How long a unit is on the two axes; auto: equal, unless the map is more than eight times as "
                        "long as wide."),
      field<&O::all>("all", any_value(), "Show outliers that would take most of the room, too."),
      field<&O::dark>("dark", any_value(), "Draw on a dark ground."),
      field<&O::point_size>("point_size", between(0.1, 1000),
                            "Width of a point in pixels. Auto: by the number of points and the size of the picture."),
      field<&O::opacity>("opacity", between(0.001, 1),
                         "1: points hide each other. Auto: less where many lie on one spot, so that density is seen."),
      field<&O::max_drawn>("max_drawn", at_least(1),
                           "Points to draw; of more, a sample spread over their order. Auto: all."),
      field<&O::bare>("bare", any_value(), "Points alone, without title, axes and legend."),
      field<&O::width>("width", between(64, 8192), "Pixels."),
      field<&O::height>("height", between(64, 8192), "Pixels."),
  };
}

}  // namespace unroll

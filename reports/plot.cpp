// SPDX-License-Identifier: Apache-2.0
#include "reports/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/escape.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

constexpr double width = 640, height = 320, left = 90, bottom = 40, top = 15, right = 20;

struct Dot {
  double x = 0, y = 0;
  bool pareto = false;
  std::string title;
};

/// The theorem on the x axis: of the waits the first that has values, else any.
std::string axis_theorem(const TuneResult& tune) {
  std::string out;
  for (const TunePoint::Bound& bound : tune.points.front().bounds) {
    if (!bound.value) continue;
    if (out.empty() || (bound.theorem.find("wait") != std::string::npos &&
                        out.find("wait") == std::string::npos)) {
      out = bound.theorem;
    }
  }
  return out;
}

double x_of(const TunePoint& point, const std::string& theorem) {
  for (const TunePoint::Bound& bound : point.bounds) {
    if (bound.theorem == theorem && bound.value) return static_cast<double>(*bound.value);
  }
  return static_cast<double>(point.worst_wait_ns);
}

struct Scale {
  double low = 0, high = 1, from = 0, to = 1;
  double operator()(double value) const {
    return from + (value - low) / (high > low ? high - low : 1) * (to - from);
  }
};

}  // namespace

std::string tune_plot(const TuneResult& tune) {
  if (tune.points.size() < 2) return {};
  const std::string theorem = axis_theorem(tune);
  std::vector<Dot> dots;
  for (const TunePoint& point : tune.points) {
    const double x = x_of(point, theorem);
    dots.push_back(
        {x,
         point.switches_per_s,
         point.pareto,
         fmt::format(
             "{}: {}, {:.0f} switches/s", point.spec, readable_ns(x), point.switches_per_s)});
  }
  const auto by_x = [](const Dot& a, const Dot& b) { return a.x < b.x; };
  const auto by_y = [](const Dot& a, const Dot& b) { return a.y < b.y; };
  const auto [x_low, x_high] = std::minmax_element(dots.begin(), dots.end(), by_x);
  const auto [y_low, y_high] = std::minmax_element(dots.begin(), dots.end(), by_y);
  const Scale x{x_low->x, x_high->x, left, width - right};
  const Scale y{y_low->y, y_high->y, height - bottom, top};
  const std::string axis = theorem.empty() ? "longest wait seen" : "bound of " + theorem;
  std::string out = fmt::format(
      "<figure><svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
      "aria-label=\"switches per second against the {}\" font-size=\"12\" fill=\"currentColor\">\n",
      width,
      height,
      width,
      height,
      html(axis));
  out += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"currentColor\"/>\n",
                     left,
                     top,
                     height - bottom,
                     width - right);
  const auto label = [&](double at_x, double at_y, const char* anchor, const std::string& text) {
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, anchor, html(text));
  };
  label(left, height - bottom + 16, "start", readable_ns(x.low));
  label(width - right, height - bottom + 16, "end", readable_ns(x.high));
  label((left + width) / 2, height - 8, "middle", axis);
  label(left - 6, height - bottom, "end", fmt::format("{:.0f}/s", y.low));
  label(left - 6, top + 10, "end", fmt::format("{:.0f}/s", y.high));
  std::stable_sort(dots.begin(), dots.end(), by_x);
  for (const Dot& dot : dots) {
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" stroke=\"currentColor\" fill=\"{}\">"
        "<title>{}</title></circle>\n",
        x(dot.x),
        y(dot.y),
        dot.pareto ? "currentColor" : "none",
        html(dot.title));
  }
  return out +
         "</svg><figcaption>Each point is one setting; filled: the Pareto set. Lower left is "
         "better.</figcaption></figure>\n";
}

}  // namespace fw::reports

#pragma once
#include <string>

#include "coloring.h"
#include "job.h"
#include "unroll/report/plot.h"

/// Pictures of maps in files: what 'unroll plot' and 'embed --plot' share.
namespace unroll::cli {

/// Throws, before any work, InvalidOption for a name that is no picture's and Io for one that cannot be written.
void check_picture(const std::string& path, const std::string& option);

/// The points get these colors. Words that are numbers, but for some missing ones, are a scale.
void set_colors(PlotSubject& subject, Coloring coloring);

/// Writes the picture beside the output of the job, and says what it leaves out.
void write_picture(Job& job, const std::string& path, const PlotSubject& subject, const PlotOptions& options);

/// "map" of "maps/map.csv.gz": what a picture of that file is called.
std::string name_of_content(const std::string& path);
/// "tsne of digits"; of standard input "tsne".
std::string title_of_map(const std::string& method, const std::string& path);

}  // namespace unroll::cli

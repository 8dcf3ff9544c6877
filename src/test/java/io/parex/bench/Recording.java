package io.parex.bench;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a run tells. */
class Recording implements BenchListener {
    final List<PointResult> points = new ArrayList<>();
    final List<Series> ended = new ArrayList<>();

    @Override
    public void started(Series series) {}

    @Override
    public void progress(String activity) {}

    @Override
    public void measured(PointResult point) {
        points.add(point);
    }

    @Override
    public void ended(Series series) {
        ended.add(series);
    }
}

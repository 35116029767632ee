package dev.equipoise.app.monitor;

import dev.equipoise.app.telemetry.CurvePoints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Min-max downsampling (Jugel et al. 2014, M4): divides a curve into buckets of equal length and
 * summarizes the points of each. Buckets without points are omitted. A curve with fewer points than
 * buckets keeps each point.
 */
final class Buckets {

    private final double from;
    private final double width;
    private final double[] firstX;
    private final double[] lastX;
    private final double[] last;
    private final double[] min;
    private final double[] max;
    private final int[] counts;

    private Buckets(double from, double to, int count) {
        this.from = from;
        this.width = (to - from) / count;
        this.firstX = new double[count];
        this.lastX = new double[count];
        this.last = new double[count];
        this.min = new double[count];
        this.max = new double[count];
        this.counts = new int[count];
        Arrays.fill(min, Double.POSITIVE_INFINITY);
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
    }

    /**
     * Downsamples the points from one position to another, both included. Points whose position is
     * unknown are skipped.
     *
     * @param most limit of the number of buckets, at least 1
     */
    static List<Bucket> of(CurvePoints points, Scale scale, double from, double to, int most) {
        int count = 0;
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < points.size(); i++) {
            double x = scale.x(points.step(i), points.seconds(i));
            if (x >= from && x <= to) {
                count++;
                least = Math.min(least, x);
                greatest = Math.max(greatest, x);
            }
        }
        if (count < most) {
            return pointByPoint(points, scale, from, to);
        }
        var buckets = new Buckets(least, greatest, most);
        for (int i = 0; i < points.size(); i++) {
            double x = scale.x(points.step(i), points.seconds(i));
            if (x >= from && x <= to) {
                buckets.add(x, points.value(i));
            }
        }
        return buckets.toList();
    }

    private static List<Bucket> pointByPoint(
            CurvePoints points, Scale scale, double from, double to) {
        List<Bucket> each = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            double x = scale.x(points.step(i), points.seconds(i));
            if (x >= from && x <= to) {
                each.add(Bucket.ofPoint(x, points.value(i)));
            }
        }
        return each;
    }

    /** Adds a point; if all buckets have length 0, to the first one. */
    private void add(double x, double value) {
        int index = Math.min((int) ((x - from) / width), counts.length - 1);
        if (counts[index] == 0) {
            firstX[index] = x;
        }
        lastX[index] = x;
        last[index] = value;
        min[index] = Math.min(min[index], value);
        max[index] = Math.max(max[index], value);
        counts[index]++;
    }

    private List<Bucket> toList() {
        List<Bucket> all = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                all.add(bucket(i));
            }
        }
        return all;
    }

    private Bucket bucket(int index) {
        return new Bucket(
                from + index * width,
                from + (index + 1) * width,
                firstX[index],
                lastX[index],
                last[index],
                min[index],
                max[index],
                counts[index]);
    }
}

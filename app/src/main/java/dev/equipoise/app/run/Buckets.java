package dev.equipoise.app.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sums a curve up in stretches of the same length, those without a point left out; a curve of fewer
 * points than stretches is told point by point.
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
     * Of the points whose place is known and from one to another, both included.
     *
     * @param most stretches, at least 1
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

    /** All are in the first where they have no length. */
    private void add(double x, double value) {
        int place = Math.min((int) ((x - from) / width), counts.length - 1);
        if (counts[place] == 0) {
            firstX[place] = x;
        }
        lastX[place] = x;
        last[place] = value;
        min[place] = Math.min(min[place], value);
        max[place] = Math.max(max[place], value);
        counts[place]++;
    }

    private List<Bucket> toList() {
        List<Bucket> all = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                all.add(
                        new Bucket(
                                from + i * width,
                                from + (i + 1) * width,
                                firstX[i],
                                lastX[i],
                                last[i],
                                min[i],
                                max[i],
                                counts[i]));
            }
        }
        return all;
    }
}

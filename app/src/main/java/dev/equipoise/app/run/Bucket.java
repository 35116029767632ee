package dev.equipoise.app.run;

/**
 * A stretch of a curve.
 *
 * @param from where it begins, on the axis
 * @param to where it ends; the next one begins there
 * @param firstX where its first point is
 * @param lastX where its last point is
 * @param last the value of its last point
 * @param min the least value
 * @param max the greatest value
 * @param count points
 */
record Bucket(
        double from,
        double to,
        double firstX,
        double lastX,
        double last,
        double min,
        double max,
        int count) {

    static Bucket ofPoint(double x, double value) {
        return new Bucket(x, x, x, x, value, value, value, 1);
    }
}

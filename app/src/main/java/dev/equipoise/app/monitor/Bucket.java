package dev.equipoise.app.monitor;

/**
 * Summary of the points in one range of equal length of a curve.
 *
 * @param from beginning of the bucket on the axis
 * @param to end of the bucket, where the next one begins
 * @param firstX position of the first point
 * @param lastX position of the last point
 * @param last value of the last point
 * @param min least value
 * @param max greatest value
 * @param count number of points
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

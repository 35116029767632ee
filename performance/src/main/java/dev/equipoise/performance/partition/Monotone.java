package dev.equipoise.performance.partition;

import dev.equipoise.performance.partition.SpeedFunction.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Isotonic regression by pooling adjacent violators (Barlow et al. 1972), with equal weights. */
final class Monotone {

    private Monotone() {}

    /** Adjacent points pooled to the mean of their times. */
    private record Block(double mean, int count) {

        Block with(Block next) {
            int sum = count + next.count;
            return new Block((mean * count + next.mean * next.count) / sum, sum);
        }
    }

    /** Returns the least-squares fit whose times never fall with the size. */
    static List<Point> pooled(SortedMap<Double, Double> secondsBySize) {
        List<Block> blocks = new ArrayList<>();
        for (double seconds : secondsBySize.values()) {
            Block block = new Block(seconds, 1);
            while (!blocks.isEmpty() && blocks.getLast().mean() > block.mean()) {
                block = blocks.removeLast().with(block);
            }
            blocks.add(block);
        }
        List<Point> points = new ArrayList<>();
        List<Double> sizes = List.copyOf(secondsBySize.keySet());
        for (Block block : blocks) {
            for (int i = 0; i < block.count(); i++) {
                points.add(new Point(sizes.get(points.size()), block.mean()));
            }
        }
        return points;
    }
}

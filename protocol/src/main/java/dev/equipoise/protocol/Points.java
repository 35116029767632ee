package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Sizes at which a kernel is measured. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Points.Fixed.class, name = "fixed"),
    @JsonSubTypes.Type(value = Points.Adaptive.class, name = "adaptive")
})
public sealed interface Points {

    /** Most points of one kernel. */
    int MAX_POINTS = 100;

    /** Largest size: samples of a mini-batch, side of a matrix. */
    int MAX_SIZE = 65_536;

    /** Returns the largest size that may be measured; memory is allocated for it. */
    @JsonIgnore
    int largest();

    /** Returns the most points that may be measured. */
    @JsonIgnore
    int atMost();

    /** Returns whether a point may have this size. */
    boolean allows(int size);

    /** Returns whether the measured sizes include all required ones. */
    boolean areFoundIn(List<Integer> measured);

    /**
     * Fixed sizes, ascending.
     *
     * @param sizes sizes, 1 to 100 of them, each at most 65,536
     */
    record Fixed(List<Integer> sizes) implements Points {

        public Fixed {
            Rules.notEmpty("sizes", sizes);
            Rules.size("sizes", sizes, MAX_POINTS);
            sizes = List.copyOf(sizes);
            int last = 0;
            for (int size : sizes) {
                Rules.between("size", size, 1, MAX_SIZE);
                if (size <= last) {
                    throw new IllegalArgumentException("sizes must ascend, but are " + sizes);
                }
                last = size;
            }
        }

        @Override
        public int largest() {
            return sizes.getLast();
        }

        @Override
        public int atMost() {
            return sizes.size();
        }

        @Override
        public boolean allows(int size) {
            return sizes.contains(size);
        }

        @Override
        public boolean areFoundIn(List<Integer> measured) {
            return measured.containsAll(sizes);
        }
    }

    /**
     * Adaptive points: both ends, and between them as many points as linear interpolation needs.
     * Intervals are bisected on a logarithmic scale until the interpolated time at the middle is
     * accurate (after Lastovetsky, Reddy and Higgins, Building the functional performance model of
     * a processor, 2006).
     *
     * @param from least size
     * @param to greatest size
     * @param accuracy relative error of the interpolated time at which bisection stops
     * @param most number of points in total, 3 to 100
     */
    record Adaptive(int from, int to, double accuracy, int most) implements Points {

        public Adaptive {
            Rules.between("from", from, 1, MAX_SIZE);
            Rules.between("to", to, from + 1.0, MAX_SIZE);
            Rules.between("accuracy", accuracy, 0.001, 1);
            Rules.between("most", most, 3, MAX_POINTS);
        }

        @Override
        public int largest() {
            return to;
        }

        @Override
        public int atMost() {
            return most;
        }

        @Override
        public boolean allows(int size) {
            return size >= from && size <= to;
        }

        @Override
        public boolean areFoundIn(List<Integer> measured) {
            return measured.contains(from) && measured.contains(to);
        }
    }
}

package dev.equipoise.agent.collective;

import java.util.ArrayList;
import java.util.List;

/**
 * The position of a rank in the binomial tree whose root is rank 0.
 *
 * @param parent -1 for the root
 * @param children nearest first
 */
record Tree(int parent, List<Integer> children) {

    static Tree of(int rank, int size) {
        List<Integer> children = new ArrayList<>();
        int bit = 1;
        for (; bit < size && (rank & bit) == 0; bit <<= 1) {
            if (rank + bit < size) {
                children.add(rank + bit);
            }
        }
        return new Tree(rank == 0 ? -1 : rank - bit, List.copyOf(children));
    }

    boolean isRoot() {
        return parent < 0;
    }
}

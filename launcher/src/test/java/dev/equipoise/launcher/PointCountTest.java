package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Counts the points of runs of two epochs with ten rounds each. */
class PointCountTest {

    private static final int ROUNDS = 10;
    private static final int EPOCHS = 2;

    private final List<JsonNode> events = new ArrayList<>();

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    /** Adds a generation; workers are in the order of their ranks. */
    private void placed(String... workers) {
        List<String> ranks = new ArrayList<>();
        for (int rank = 0; rank < workers.length; rank++) {
            ranks.add("{'rank': %d, 'workerName': '%s'}".formatted(rank, workers[rank]));
        }
        events.add(json("{'type': 'placed', 'ranks': [%s]}".formatted(String.join(", ", ranks))));
    }

    private void setBack(int epoch) {
        events.add(json("{'type': 'set-back', 'epoch': %d}".formatted(epoch)));
    }

    /** Adds a report of every n-th round after a round, up to another one. */
    private void reported(int rank, int stride, long after, long to) {
        String steps =
                LongStream.rangeClosed(after + 1, to)
                        .filter(it -> it % stride == 0)
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(", "));
        events.add(
                json(
                        "{'type': 'metrics', 'name': 'train/loss', 'rank': %d, 'every': %d, 'steps': [%s]}"
                                .formatted(rank, stride, steps)));
    }

    private PointCount count(int servers, long dropped, long... points) {
        List<String> items = new ArrayList<>(List.of("{'name': 'epoch/loss', 'points': 2}"));
        for (int i = 0; i < points.length; i++) {
            items.add(
                    "{'name': 'train/loss', 'rank': %d, 'points': %d}"
                            .formatted(i + servers, points[i]));
        }
        JsonNode metrics =
                json(
                        "{'items': [%s], 'droppedPoints': %d}"
                                .formatted(String.join(", ", items), dropped));
        return PointCount.of(events, metrics, ROUNDS, EPOCHS, servers);
    }

    private static PointCount none() {
        return new PointCount(0, 0, List.of());
    }

    @Test
    void undisturbedRunHasEveryPointOnce() {
        placed("a", "b");
        reported(0, 1, 0, 20);
        reported(1, 1, 0, 12);
        reported(1, 1, 12, 20);

        assertThat(count(0, 0, 20, 20)).isEqualTo(none());
    }

    @Test
    void doubledStrideLosesNoPoint() {
        placed("a");
        reported(0, 1, 0, 7);
        reported(0, 2, 7, 11);
        reported(0, 4, 11, 20);

        assertThat(count(0, 0, 12)).isEqualTo(none());
    }

    @Test
    void missingReportIsLost() {
        placed("a", "b");
        reported(0, 1, 0, 20);
        reported(1, 1, 0, 5);
        reported(1, 1, 8, 17);

        assertThat(count(0, 0, 20, 14)).isEqualTo(new PointCount(3 + 3, 0, List.of()));
    }

    @Test
    void missingReportOfAStrideIsLost() {
        placed("a");
        reported(0, 2, 0, 6);
        reported(0, 2, 10, 20);

        assertThat(count(0, 0, 8)).isEqualTo(new PointCount(2, 0, List.of()));
    }

    @Test
    void rankWithoutAnyReportHasLostAllPoints() {
        placed("a", "b");
        reported(0, 1, 0, 20);

        assertThat(count(0, 0, 20)).isEqualTo(new PointCount(20, 0, List.of()));
    }

    @Test
    void droppedPointsAreLost() {
        placed("a");
        reported(0, 1, 0, 20);

        assertThat(count(0, 7, 20)).isEqualTo(new PointCount(7, 0, List.of()));
    }

    @Test
    void pointsThatAreStoredTwiceAreDoubled() {
        placed("a");
        reported(0, 1, 0, 20);

        assertThat(count(0, 0, 23)).isEqualTo(new PointCount(0, 3, List.of()));
    }

    /** Worker c takes the rank of the lost worker b, and a fourth one joins after the epoch. */
    @Test
    void pointsThatALostRankHadNotReportedAreNotLost() {
        placed("a", "b", "c");
        reported(0, 1, 0, 6);
        reported(1, 1, 0, 4);
        reported(2, 1, 0, 6);
        placed("a", "c");
        reported(0, 1, 6, 10);
        reported(1, 1, 6, 10);
        placed("a", "c", "d");
        reported(0, 1, 10, 20);
        reported(1, 1, 10, 20);
        reported(2, 1, 10, 20);

        assertThat(count(0, 0, 20, 18, 16)).isEqualTo(new PointCount(0, 0, List.of(2L)));
    }

    @Test
    void pointsThatASurvivorHadNotReportedAreLost() {
        placed("a", "b", "c");
        reported(0, 1, 0, 6);
        reported(1, 1, 0, 6);
        reported(2, 1, 0, 5);
        placed("a", "c");
        reported(0, 1, 6, 20);
        reported(1, 1, 6, 20);

        assertThat(count(0, 0, 20, 20, 5)).isEqualTo(new PointCount(1, 0, List.of(0L)));
    }

    @Test
    void restartedRunNeedsThePointsOfLostRanksToo() {
        placed("s", "a", "b");
        reported(1, 1, 0, 10);
        reported(2, 1, 0, 9);
        setBack(1);
        placed("s", "a", "c");
        reported(1, 1, 10, 20);
        reported(2, 1, 10, 20);

        assertThat(count(1, 0, 20, 19)).isEqualTo(new PointCount(1, 0, List.of()));
    }

    @Test
    void runThatBeginsAnewHasTheLastPointsOnly() {
        placed("a", "b");
        setBack(0);
        placed("a", "c");
        reported(0, 1, 0, 20);
        reported(1, 1, 0, 20);

        assertThat(count(0, 0, 20, 20)).isEqualTo(none());
    }
}

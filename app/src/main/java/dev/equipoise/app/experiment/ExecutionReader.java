package dev.equipoise.app.experiment;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Execution.Point;
import dev.equipoise.protocol.Execution.Speed;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Reads the execution of a run and reports everything that is wrong. */
public final class ExecutionReader {

    private static final String SAMPLES_PER_SECOND = "samplesPerSecond";
    private static final String POINTS = "points";

    /**
     * The ways to give speeds: one number for all ranks or one for each, one speed function for
     * all, or one for each.
     */
    private static final List<String> FORMS = List.of(SAMPLES_PER_SECOND, POINTS, "speeds");

    private static final int MAX_SPEEDS = 1024;
    private static final int MAX_POINTS = 100;
    private static final double FASTEST = 1e12;
    private static final double MAX_SECONDS = 1e6;
    private static final double MAX_LATENCY = 1e7;
    private static final List<Integer> ANY = IntStream.rangeClosed(1, MAX_SPEEDS).boxed().toList();

    /** Placeholder for an invalid run id. */
    private static final UUID NO_RUN = new UUID(0, 0);

    private ExecutionReader() {}

    static Execution read(JsonFieldReader choice) {
        Execution read =
                switch (choice.kind("real", List.of("real", "virtual", "replay"))) {
                    case "virtual" ->
                            new Execution.Virtual(
                                    speeds(choice),
                                    choice.number("jitter", 0.0, 0, 3),
                                    link(choice.object("link")));
                    case "replay" -> new Execution.Replay(run(choice));
                    default -> new Execution.Real();
                };
        choice.end();
        return read;
    }

    /** Reads the id of a run in the field {@code run}. */
    static RunId run(JsonFieldReader choice) {
        String run = choice.text("run", null);
        try {
            return RunId.of(UUID.fromString(run));
        } catch (IllegalArgumentException e) {
            if (!run.isEmpty()) {
                choice.reject("run", "must be the id of a run");
            }
            return RunId.of(NO_RUN);
        }
    }

    /** Returns no speeds if the measured ones of the worker apply. */
    private static List<Speed> speeds(JsonFieldReader choice) {
        List<String> forms = FORMS.stream().filter(choice::given).toList();
        if (forms.size() > 1) {
            choice.reject(forms.getLast(), "must not be given with " + forms.getFirst());
        }
        return forms.stream().findFirst().map(form -> speeds(choice, form)).orElse(List.of());
    }

    private static List<Speed> speeds(JsonFieldReader choice, String form) {
        return switch (form) {
            case SAMPLES_PER_SECOND ->
                    choice.numbers(form, null, ANY, 1 / MAX_SECONDS, FASTEST).stream()
                            .map(Speed::of)
                            .toList();
            case POINTS -> List.of(points(choice));
            default ->
                    choice.elements(form, 0, MAX_SPEEDS).stream()
                            .map(element -> speed(element.object()))
                            .toList();
        };
    }

    /** Reads the speed of one worker: samples per second, or points of a speed function. */
    public static Speed speedOfOne(JsonFieldReader choice) {
        if (!choice.given(SAMPLES_PER_SECOND)) {
            return points(choice);
        }
        if (choice.given(POINTS)) {
            choice.reject(POINTS, "must not be given with " + SAMPLES_PER_SECOND);
        }
        return Speed.of(choice.number(SAMPLES_PER_SECOND, null, 1 / MAX_SECONDS, FASTEST));
    }

    private static Speed speed(JsonFieldReader fields) {
        Speed speed = points(fields);
        fields.end();
        return speed;
    }

    private static Speed points(JsonFieldReader choice) {
        List<Point> points =
                choice.elements(POINTS, 1, MAX_POINTS).stream()
                        .map(element -> point(element.object()))
                        .toList();
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i).size() <= points.get(i - 1).size()
                    || points.get(i).seconds() < points.get(i - 1).seconds()) {
                choice.note(
                        "points/" + i, "must be larger than the one before and take no less time");
                return Speed.of(1);
            }
        }
        return points.isEmpty() ? Speed.of(1) : new Speed(points);
    }

    private static Point point(JsonFieldReader fields) {
        var point =
                new Point(
                        fields.integer("size", null, 1, 1_000_000),
                        fields.number("seconds", null, 1 / FASTEST, MAX_SECONDS));
        fields.end();
        return point;
    }

    /** Reads the link between any two ranks; the defaults are 50 microseconds and 1 GB/s. */
    public static Execution.Link link(JsonFieldReader fields) {
        var link =
                new Execution.Link(
                        fields.number("latencyMicroseconds", 50.0, 0, MAX_LATENCY),
                        fields.number("megabytesPerSecond", 1000.0, 0.1, 1e6));
        fields.end();
        return link;
    }
}

package dev.equipoise.app.measurement;

import dev.equipoise.app.problem.FigureChecks;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * # kernel: training-step:mnist-cnn
 * # host: bd27
 * # device: oneDNN 3.11.0
 * # threads: 12
 * # slow-down: 1.0
 * # load: 100
 * # date: 2026-11-22T10:00:00Z
 * # disturbed: 64 96
 * size,mean_s,reps,ci_s,sd_s
 * 8,0.0123,34,0.0002,0.0006
 */

/**
 * A CSV file with the measured points of one kernel: header lines that begin with a hash, then one
 * line for each point.
 *
 * @param load host load during the measurement
 * @param points by ascending size
 */
record CurveFile(
        Kernel kernel,
        HostDescription host,
        HostLoad load,
        Instant date,
        List<MeasuredPoint> points) {

    static final String MEDIA_TYPE = "text/csv";
    private static final String COLUMNS = "size,mean_s,reps,ci_s,sd_s";
    private static final int FIELDS = 5;

    CurveFile {
        points = List.copyOf(points);
    }

    String text() {
        return Stream.concat(
                        Stream.of(
                                "# kernel: " + kernel.label(),
                                "# host: " + host.name(),
                                "# device: " + host.backend(),
                                "# threads: " + host.threads(),
                                "# slow-down: " + host.slowDown(),
                                "# load: " + load.percent(),
                                "# date: " + date,
                                "# disturbed: " + disturbed(),
                                COLUMNS),
                        points.stream().map(CurveFile::line))
                .map(line -> line.strip() + "\n")
                .collect(Collectors.joining());
    }

    private String disturbed() {
        return points.stream()
                .filter(MeasuredPoint::disturbed)
                .map(point -> String.valueOf(point.size()))
                .collect(Collectors.joining(" "));
    }

    private static String line(MeasuredPoint point) {
        return String.format(
                Locale.ROOT,
                "%d,%s,%d,%s,%s",
                point.size(),
                point.meanSeconds(),
                point.repetitions(),
                point.confidenceSeconds(),
                point.deviationSeconds());
    }

    /**
     * The content of a file for import. It ignores the host of the file: the worker describes its
     * own host.
     *
     * @param network the network of the training step
     * @param points by ascending size
     * @param problems all violations; if there are any, the other components are meaningless
     */
    record Read(
            String network,
            HostLoad load,
            Instant date,
            List<MeasuredPoint> points,
            List<Violation> problems) {

        Read {
            points = List.copyOf(points);
            problems = List.copyOf(problems);
        }
    }

    /**
     * Reads a file.
     *
     * @param now latest allowed date
     * @param oldest earliest allowed date; an older profile would never be used
     */
    static Read read(String text, Instant now, Instant oldest) {
        return new Reader(text, now, oldest).read();
    }

    /** Parses the lines in one pass and collects all violations. */
    private static final class Reader {

        private static final String STEP = "training-step:";

        /** Limit of lines: all points and 20 header lines. */
        private static final int MAX_LINES = Points.MAX_POINTS + 20;

        private static final int MAX_PROBLEMS = 20;
        private static final int MAX_SHOWN_CHARACTERS = 100;

        private final List<String> lines;
        private final Instant now;
        private final Instant oldest;
        private final List<Violation> problems = new ArrayList<>();
        private final Map<String, String> header = new HashMap<>();

        Reader(String text, Instant now, Instant oldest) {
            this.oldest = oldest;
            this.lines = text.lines().limit(MAX_LINES).toList();
            this.now = now;
        }

        Read read() {
            List<MeasuredPoint> points = new ArrayList<>();
            boolean begun = false;
            for (int number = 1;
                    number <= lines.size() && problems.size() < MAX_PROBLEMS;
                    number++) {
                String line = lines.get(number - 1).strip();
                if (line.startsWith("#")) {
                    note(line.substring(1));
                } else if (begun) {
                    point(number, line, points).ifPresent(points::add);
                } else if (!line.isEmpty()) {
                    begun = true;
                    require(line.equals(COLUMNS), "/lines/" + number, "must be " + COLUMNS, line);
                }
            }
            require(
                    !points.isEmpty() && points.size() <= Points.MAX_POINTS,
                    "/lines",
                    "must hold 1 to %d points".formatted(Points.MAX_POINTS),
                    points.size());
            return new Read(network(), load(), date(), points, problems);
        }

        private void note(String line) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                header.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }

        private static double largest(MeasuredPoint point) {
            return Math.max(
                    point.meanSeconds(),
                    Math.max(point.confidenceSeconds(), point.deviationSeconds()));
        }

        private Optional<MeasuredPoint> point(int number, String line, List<MeasuredPoint> before) {
            String where = "/lines/" + number;
            String[] fields = line.split(",", -1);
            if (fields.length != FIELDS) {
                return reject(where, "must have the %d fields %s".formatted(FIELDS, COLUMNS), line);
            }
            try {
                int size = Integer.parseInt(fields[0]);
                var point =
                        new MeasuredPoint(
                                size,
                                Double.parseDouble(fields[1]),
                                Integer.parseInt(fields[2]),
                                Double.parseDouble(fields[3]),
                                Double.parseDouble(fields[4]),
                                disturbed().contains(String.valueOf(size)));
                require(
                        largest(point) <= FigureChecks.MAX_SECONDS,
                        where,
                        "times must be at most %s s".formatted(FigureChecks.MAX_SECONDS),
                        largest(point));
                require(
                        size <= Points.MAX_SIZE,
                        where,
                        "size must be at most " + Points.MAX_SIZE,
                        size);
                require(
                        before.isEmpty() || before.getLast().size() < size,
                        where,
                        "sizes must ascend",
                        size);
                return Optional.of(point);
            } catch (NumberFormatException _) {
                return reject(where, "must hold only numbers", line);
            } catch (IllegalArgumentException e) {
                return reject(where, String.valueOf(e.getMessage()), line);
            }
        }

        private List<String> disturbed() {
            return List.of(header.getOrDefault("disturbed", "").split(" ", -1));
        }

        private String network() {
            String kernel = header.getOrDefault("kernel", "");
            require(
                    kernel.startsWith(STEP) && kernel.length() > STEP.length(),
                    "/header/kernel",
                    "must be training-step:NETWORK",
                    kernel);
            return kernel.startsWith(STEP) ? kernel.substring(STEP.length()) : kernel;
        }

        private HostLoad load() {
            String load = header.getOrDefault("load", "100");
            boolean isPercent = load.matches("[1-9][0-9]{2,5}");
            require(isPercent, "/header/load", "must be a percentage of at least 100", load);
            return isPercent ? new HostLoad(Integer.parseInt(load)) : HostLoad.ALONE;
        }

        private Instant date() {
            @Nullable String date = header.get("date");
            try {
                Instant then = Instant.parse(String.valueOf(date));
                require(!then.isAfter(now), "/header/date", "must not be in the future", date);
                require(
                        !then.isBefore(oldest),
                        "/header/date",
                        "must not be before " + oldest,
                        date);
                return then;
            } catch (DateTimeParseException _) {
                require(false, "/header/date", "must be like 2026-11-22T10:00:00Z", date);
                return now;
            }
        }

        private Optional<MeasuredPoint> reject(String where, String rule, String value) {
            require(false, where, rule, value);
            return Optional.empty();
        }

        private static @Nullable Object shown(@Nullable Object value) {
            return value instanceof String text && text.length() > MAX_SHOWN_CHARACTERS
                    ? text.substring(0, MAX_SHOWN_CHARACTERS) + "..."
                    : value;
        }

        private void require(boolean holds, String where, String rule, @Nullable Object value) {
            if (!holds) {
                problems.add(new Violation(where, rule, shown(value)));
            }
        }
    }
}

package dev.equipoise.agent.optimizer;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * Figures of PyTorch in float64, from {@code benchmarks/oracle/optimizers.py}.
 *
 * @param torch version of PyTorch
 * @param trajectories parameters after each step
 */
record Oracle(
        String torch,
        int stepsPerEpoch,
        int epochs,
        List<Float> start,
        List<List<Float>> gradients,
        Map<String, List<List<Double>>> trajectories) {

    static Oracle read() throws IOException {
        try (InputStream json = Oracle.class.getResourceAsStream("oracle.json")) {
            return JsonMapper.shared().readValue(Objects.requireNonNull(json), Oracle.class);
        }
    }

    List<List<Double>> trajectory(String name) {
        return Objects.requireNonNull(trajectories.get(name), name);
    }
}

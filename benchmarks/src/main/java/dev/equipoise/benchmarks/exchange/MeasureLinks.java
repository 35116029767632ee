package dev.equipoise.benchmarks.exchange;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.link.LinkBenchmark;
import dev.equipoise.agent.link.LinkMatrix;
import dev.equipoise.agent.link.LinkPlan;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.benchmarks.JsonLines;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "measure-links", hidden = true)
public final class MeasureLinks implements Callable<Integer> {

    @Option(names = "--rank", required = true)
    private int rank;

    @Option(names = "--ranks", required = true)
    private int ranks;

    @Option(names = "--channel", required = true)
    private ExchangeVariant variant = ExchangeVariant.DIRECT;

    @Override
    public Integer call() throws IOException, InterruptedException {
        new ChannelSetup(variant, rank, ranks).run(this::measure);
        return 0;
    }

    private void measure(Channel channel) {
        try (channel;
                Arena memory = Arena.ofShared()) {
            LinkMatrix matrix =
                    new LinkBenchmark(channel, LinkPlan.DEFAULT, new SystemTime(), memory)
                            .measure();
            if (rank == 0) {
                LinkFigure.of(matrix).forEach(JsonLines::print);
            }
        }
    }
}

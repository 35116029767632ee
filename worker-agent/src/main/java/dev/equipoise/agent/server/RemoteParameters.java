package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client of the parameter servers on a replica, which trains on a copy of the weights. All
 * servers get their requests before the first answer is awaited. An answer confirms that the
 * request and its gradient were received, so their memory is free again.
 *
 * <p>Every method throws {@link dev.equipoise.agent.channel.ChannelFailed} when a rank is lost, and
 * {@link MessageRefused} when a server answers another request; weights under way and the residual
 * of error feedback are then undefined.
 */
public final class RemoteParameters {

    private final Channel channel;
    private final ServerConfiguration configuration;
    private final Sharding sharding;

    /** Request headers: one slot for each shard, and one to pause. */
    private final MemorySegment requests;

    private final MemorySegment replies;
    private final long[] versions;
    private final List<GradientEncoder> encoders;
    private final @Nullable CodedPullReplies codedReplies;

    private long barriers;
    private long samplesBefore;

    /**
     * Allocates memory for headers, and for frames if gradients are coded.
     *
     * @param memory must outlive the instance
     */
    public RemoteParameters(Channel channel, ServerConfiguration configuration, Arena memory) {
        this.channel = channel;
        this.configuration = configuration;
        this.sharding = configuration.sharding();
        int shards = sharding.shards().size();
        this.requests = memory.allocate((shards + 1L) * Message.BYTES, Long.BYTES);
        this.replies = memory.allocate((long) shards * Message.BYTES, Long.BYTES);
        this.versions = new long[shards];
        this.encoders =
                configuration.coding().stream()
                        .flatMap(coding ->
                                sharding.shards().stream()
                                        .map(shard -> encoder(coding, shard, memory)))
                        .toList();
        Codec answerCodec = configuration.answerCodec();
        this.codedReplies =
                answerCodec == null
                        ? null
                        : new CodedPullReplies(channel, answerCodec, sharding, memory);
    }

    private GradientEncoder encoder(GradientCoding coding, Shard shard, Arena memory) {
        Codec codec = coding.codecs().apply(shard.index());
        return new GradientEncoder(codec, coding, channel.rank(), shard, memory);
    }

    /** Registers the state from which a run can continue, when no frame is under way. */
    public void register(RankStateRegistry registry) {
        encoders.forEach(it -> it.register(registry));
    }

    /** The version of a shard at its last read. */
    public long version(int shard) {
        return versions[shard];
    }

    /**
     * Number of barriers that this replica has passed; all replicas got the same values at each.
     */
    public long barriers() {
        return barriers;
    }

    /** The residual of a shard, to be copied or read; empty without error feedback. */
    public Optional<Residual> residual(int shard) {
        return encoders.isEmpty() ? Optional.empty() : encoders.get(shard).residual();
    }

    /**
     * Pulls the weights of the servers; the values of one shard have one version. With bounded
     * staleness this waits for slower replicas.
     *
     * @param weights the whole float32 vector, which is overwritten
     */
    public void pull(MemorySegment weights) {
        pull(weights, () -> {});
    }

    /**
     * Pulls like {@link #pull(MemorySegment)}, and runs {@code answered} when the first server has
     * answered, that is, when this replica no longer waits for others.
     */
    public void pull(MemorySegment weights, Runnable answered) {
        sharding.requireLength(weights);
        List<Shard> shards = sharding.shards();
        if (configuration.mode() instanceof Mode.Barrier) {
            pull(shards.subList(0, 1), weights, answered);
            pull(shards.subList(1, shards.size()), weights, () -> {});
        } else {
            pull(shards, weights, answered);
        }
    }

    private void pull(List<Shard> shards, MemorySegment weights, Runnable answered) {
        for (Shard shard : shards) {
            sendRequest(shard, new Message(Kind.PULL, shard.index(), 0, barriers, Payload.NONE));
            awaitValues(shard, weights);
        }
        Runnable callback = answered;
        for (Shard shard : shards) {
            barriers = takeValues(shard, callback).number();
            callback = () -> {};
        }
    }

    /**
     * Pushes a gradient to servers that apply on arrival; returns when it is applied or dropped.
     *
     * @param gradient the whole vector, computed on the weights pulled last
     * @return its largest staleness over the shards
     */
    public long push(MemorySegment gradient) {
        sharding.requireLength(gradient);
        for (Shard shard : sharding.shards()) {
            sendPush(shard, gradient, 1);
            awaitAnswer(shard);
        }
        return takeStaleness();
    }

    /**
     * Completes a round without a gradient, of a replica that has no samples in it: the servers
     * count the round, and apply nothing.
     */
    public void skip() {
        for (Shard shard : sharding.shards()) {
            sendRequest(shard, new Message(Kind.SKIP, shard.index(), 0, 0, Payload.NONE));
            awaitAnswer(shard);
        }
        takeStaleness();
    }

    private long takeStaleness() {
        long staleness = 0;
        samplesBefore = 0;
        for (Shard shard : sharding.shards()) {
            Message answer = takeAnswer(shard).requireApplied(shard);
            staleness = Math.max(staleness, answer.number());
            samplesBefore = Math.max(samplesBefore, answer.version());
        }
        return staleness;
    }

    /**
     * Returns the number of samples of the epoch whose gradients the servers had received before
     * the latest gradient of this replica, the most of all shards.
     */
    public long samplesBefore() {
        return samplesBefore;
    }

    /**
     * Runs a round: pushes a gradient and overwrites {@code answer} by the result of all replicas'
     * gradients: the new weights, or the aggregate if servers only aggregate. Every replica calls
     * it equally often.
     */
    public void exchange(MemorySegment gradient, MemorySegment answer) {
        exchange(gradient, 1, answer);
    }

    /**
     * Runs a round like {@link #exchange(MemorySegment, MemorySegment)}, with a vector that holds a
     * gradient times a factor.
     *
     * @param gradientScale factor, for {@link Codec#encode(MemorySegment, double,
     *     dev.equipoise.agent.codec.CodecRandom, MemorySegment)}
     */
    public void exchange(MemorySegment gradient, double gradientScale, MemorySegment answer) {
        sharding.requireLength(gradient);
        sharding.requireLength(answer);
        exchange(sharding.shards(), gradient, gradientScale, answer);
    }

    /** Returns the shards with values of a part of the vector, in its order. */
    public List<Shard> shards(long offset, long bytes) {
        return sharding.shards().stream()
                .filter(it -> it.bytes() > 0)
                .filter(it -> it.offset() >= offset && it.offset() + it.bytes() <= offset + bytes)
                .toList();
    }

    /**
     * Runs a round for some shards, like {@link #exchange(MemorySegment, MemorySegment)}. Every
     * replica exchanges the same shards in the same order.
     */
    public void exchange(List<Shard> shards, MemorySegment gradient, MemorySegment answer) {
        exchange(shards, gradient, 1, answer);
    }

    private void exchange(
            List<Shard> shards,
            MemorySegment gradient,
            double gradientScale,
            MemorySegment answer) {
        for (Shard shard : shards) {
            begin(shard, gradient, gradientScale, answer);
        }
        for (Shard shard : shards) {
            end(shard);
        }
    }

    /**
     * Begins a round for one shard, as soon as the gradient of a layer is known; all replicas begin
     * the shards of one server in the same order. Neither range may be touched until {@link #end}.
     */
    public void begin(Shard shard, MemorySegment gradient, MemorySegment answer) {
        begin(shard, gradient, 1, answer);
    }

    private void begin(
            Shard shard, MemorySegment gradient, double gradientScale, MemorySegment answer) {
        sendPush(shard, gradient, gradientScale);
        if (codedReplies == null) {
            awaitValues(shard, answer);
        } else {
            codedReplies.begin(shard, answer);
        }
    }

    /** Waits for the answer of a shard; call in the order in which the shards were begun. */
    public void end(Shard shard) {
        if (codedReplies == null) {
            takeValues(shard, () -> {});
        } else {
            versions[shard.index()] = codedReplies.end(shard).version();
        }
    }

    /**
     * Pauses this replica: it sends nothing until the servers serve again. Returns when no frame to
     * them is under way. No replica waits for a paused one, which may also leave.
     */
    public void pause() {
        long slot = requests.byteSize() - Message.BYTES;
        new Message(Kind.PAUSE, 0, 0, 0, Payload.NONE).write(requests, slot);
        int servers = configuration.roles().servers();
        for (int server = 0; server < servers; server++) {
            channel.send(server, PayloadType.PLAIN, requests, slot, Message.BYTES);
        }
        for (int server = 0; server < servers; server++) {
            channel.awaitSent(server);
        }
    }

    private void sendPush(Shard shard, MemorySegment gradient, double gradientScale) {
        if (encoders.isEmpty()) {
            sendRequest(shard, push(shard, 0, Payload.plain(shard.bytes())));
            PipelineSegments.send(channel, shard.server(), gradient, shard.offset(), shard.bytes());
            return;
        }
        GradientEncoder encoder = encoders.get(shard.index());
        Frame frame =
                encoder.encode(gradient.asSlice(shard.offset(), shard.bytes()), gradientScale);
        Payload payload = Payload.of(frame);
        sendRequest(shard, push(shard, encoder.rounds() - 1, payload));
        PipelineSegments.send(channel, shard.server(), encoder.buffer(), 0, payload.bytes());
    }

    private Message push(Shard shard, long round, Payload payload) {
        return new Message(Kind.PUSH, shard.index(), versions[shard.index()], round, payload);
    }

    private void sendRequest(Shard shard, Message request) {
        long slot = slot(shard);
        request.write(requests, slot);
        channel.send(shard.server(), PayloadType.PLAIN, requests, slot, Message.BYTES);
    }

    private void awaitAnswer(Shard shard) {
        channel.receive(shard.server(), replies, slot(shard), Message.BYTES);
    }

    private void awaitValues(Shard shard, MemorySegment weights) {
        awaitAnswer(shard);
        PipelineSegments.postReceive(
                channel, shard.server(), weights, shard.offset(), shard.bytes());
    }

    private Message takeValues(Shard shard, Runnable answered) {
        Message answer = takeAnswer(shard).requireValues(shard, null);
        answered.run();
        PipelineSegments.awaitReceived(channel, shard.server(), shard.bytes());
        versions[shard.index()] = answer.version();
        return answer;
    }

    private Message takeAnswer(Shard shard) {
        channel.awaitReceived(shard.server());
        return Message.read(replies, slot(shard));
    }

    private static long slot(Shard shard) {
        return (long) shard.index() * Message.BYTES;
    }
}

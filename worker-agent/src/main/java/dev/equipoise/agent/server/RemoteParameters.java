package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Residual;
import dev.equipoise.agent.collective.Slices;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The weights as a worker sees them, who trains on a copy. All servers are asked before the first
 * answer is awaited. An answer says that the question and its gradient have been taken, so their
 * memory is free again.
 *
 * <p>Every method throws {@link dev.equipoise.agent.channel.ChannelFailed} when a rank is lost, and
 * {@link MessageRefused} when a server answers what was not asked; the weights that were on their
 * way are then undefined, and so is what error feedback remembers.
 */
public final class RemoteParameters {

    private final Channel channel;
    private final Terms terms;
    private final Sharding sharding;

    /** A place for each shard, and one to pause. */
    private final MemorySegment questions;

    private final MemorySegment answers;
    private final long[] versions;
    private final List<GradientEncoder> encoders;
    private final @Nullable CodedAnswers codedAnswers;

    private long barriers;

    /**
     * Sets memory aside for headers, and for frames where gradients are coded.
     *
     * @param memory must outlive it
     */
    public RemoteParameters(Channel channel, Terms terms, Arena memory) {
        this.channel = channel;
        this.terms = terms;
        this.sharding = terms.sharding();
        int shards = sharding.shards().size();
        this.questions = memory.allocate((shards + 1L) * Message.BYTES, Long.BYTES);
        this.answers = memory.allocate((long) shards * Message.BYTES, Long.BYTES);
        this.versions = new long[shards];
        this.encoders =
                terms.coding().stream()
                        .flatMap(coding ->
                                sharding.shards().stream()
                                        .map(shard -> encoder(coding, shard, memory)))
                        .toList();
        Codec answerCodec = terms.answerCodec();
        this.codedAnswers =
                answerCodec == null
                        ? null
                        : new CodedAnswers(channel, answerCodec, sharding, memory);
    }

    private GradientEncoder encoder(Coding coding, Shard shard, Arena memory) {
        Codec codec = coding.codecs().apply(shard.index());
        return new GradientEncoder(codec, coding, channel.rank(), shard, memory);
    }

    /** Enters what it goes on with where another has stopped, when nothing is under way. */
    public void remembered(Remembered remembered) {
        encoders.forEach(it -> it.remembered(remembered));
    }

    /** The version of the shard that was read last. */
    public long version(int shard) {
        return versions[shard];
    }

    /** How many barriers this worker has passed; all have got the same values at each. */
    public long barriers() {
        return barriers;
    }

    /** What error feedback remembers of a shard, to be copied or read; empty without. */
    public Optional<Residual> residual(int shard) {
        return encoders.isEmpty() ? Optional.empty() : encoders.get(shard).residual();
    }

    /**
     * Overwrites the weights by those of the servers; those of one shard are of one version. Where
     * servers set the pace, this waits for slower workers.
     *
     * @param weights the whole vector of float32
     */
    public void pull(MemorySegment weights) {
        pull(weights, () -> {});
    }

    /**
     * As {@link #pull(MemorySegment)}, and tells when the first server has answered, which it does
     * when this worker need wait no longer for others.
     */
    public void pull(MemorySegment weights, Runnable answered) {
        sharding.requireLength(weights);
        List<Shard> shards = sharding.shards();
        if (terms.mode() instanceof Mode.Barrier) {
            pull(shards.subList(0, 1), weights, answered);
            pull(shards.subList(1, shards.size()), weights, () -> {});
        } else {
            pull(shards, weights, answered);
        }
    }

    private void pull(List<Shard> shards, MemorySegment weights, Runnable answered) {
        for (Shard shard : shards) {
            ask(shard, new Message(Kind.PULL, shard.index(), 0, barriers, Payload.NONE));
            awaitValues(shard, weights);
        }
        Runnable told = answered;
        for (Shard shard : shards) {
            barriers = takeValues(shard, told).number();
            told = () -> {};
        }
    }

    /**
     * Brings a gradient to servers that apply on arrival; returns when it is applied, or dropped.
     *
     * @param gradient the whole vector, computed on the weights that were pulled last
     * @return its staleness on that shard where it was the greatest
     */
    public long push(MemorySegment gradient) {
        sharding.requireLength(gradient);
        for (Shard shard : sharding.shards()) {
            bring(shard, gradient);
            awaitAnswer(shard);
        }
        long staleness = 0;
        for (Shard shard : sharding.shards()) {
            Message answer = takeAnswer(shard).requireApplied(shard);
            staleness = Math.max(staleness, answer.number());
        }
        return staleness;
    }

    /**
     * A round: brings a gradient and overwrites the answer by what has come of all workers'
     * gradients: the new weights, or of servers that only aggregate, the aggregate. Every worker
     * calls it equally often.
     */
    public void exchange(MemorySegment gradient, MemorySegment answer) {
        sharding.requireLength(gradient);
        sharding.requireLength(answer);
        List<Shard> shards = sharding.shards();
        for (Shard shard : shards) {
            begin(shard, gradient, answer);
        }
        for (Shard shard : shards) {
            end(shard);
        }
    }

    /**
     * Begins a round for one shard, as soon as the gradient of a layer is known; all workers take
     * the shards of one server in the same order. Neither range may be touched until {@link #end}.
     */
    public void begin(Shard shard, MemorySegment gradient, MemorySegment answer) {
        bring(shard, gradient);
        if (codedAnswers == null) {
            awaitValues(shard, answer);
        } else {
            codedAnswers.begin(shard, answer);
        }
    }

    /** Returns when the answer for the shard is there; in the order in which they were begun. */
    public void end(Shard shard) {
        if (codedAnswers == null) {
            takeValues(shard, () -> {});
        } else {
            versions[shard.index()] = codedAnswers.end(shard).version();
        }
    }

    /**
     * Tells the servers that this worker says nothing before they serve again; returns when nothing
     * is under way to them. Nobody waits for a worker that has paused, and it may stay away.
     */
    public void pause() {
        long place = questions.byteSize() - Message.BYTES;
        new Message(Kind.PAUSE, 0, 0, 0, Payload.NONE).write(questions, place);
        int servers = terms.roles().servers();
        for (int server = 0; server < servers; server++) {
            channel.send(server, Content.PLAIN, questions, place, Message.BYTES);
        }
        for (int server = 0; server < servers; server++) {
            channel.awaitSent(server);
        }
    }

    private void bring(Shard shard, MemorySegment gradient) {
        if (encoders.isEmpty()) {
            ask(shard, push(shard, 0, Payload.plain(shard.bytes())));
            Slices.send(channel, shard.server(), gradient, shard.offset(), shard.bytes());
            return;
        }
        GradientEncoder encoder = encoders.get(shard.index());
        Frame frame = encoder.encode(gradient.asSlice(shard.offset(), shard.bytes()));
        Payload payload = Payload.of(frame);
        ask(shard, push(shard, encoder.rounds() - 1, payload));
        Slices.send(channel, shard.server(), encoder.room(), 0, payload.bytes());
    }

    private Message push(Shard shard, long round, Payload payload) {
        return new Message(Kind.PUSH, shard.index(), versions[shard.index()], round, payload);
    }

    private void ask(Shard shard, Message question) {
        long place = place(shard);
        question.write(questions, place);
        channel.send(shard.server(), Content.PLAIN, questions, place, Message.BYTES);
    }

    private void awaitAnswer(Shard shard) {
        channel.receive(shard.server(), answers, place(shard), Message.BYTES);
    }

    private void awaitValues(Shard shard, MemorySegment weights) {
        awaitAnswer(shard);
        Slices.postRoom(channel, shard.server(), weights, shard.offset(), shard.bytes());
    }

    private Message takeValues(Shard shard, Runnable answered) {
        Message answer = takeAnswer(shard).requireValues(shard, null);
        answered.run();
        Slices.awaitReceived(channel, shard.server(), shard.bytes());
        versions[shard.index()] = answer.version();
        return answer;
    }

    private Message takeAnswer(Shard shard) {
        channel.awaitReceived(shard.server());
        return Message.read(answers, place(shard));
    }

    private static long place(Shard shard) {
        return (long) shard.index() * Message.BYTES;
    }
}

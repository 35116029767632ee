package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface ReplicaRepository extends JpaRepository<Replica, Replica.Key> {

    List<Replica> findByKeyRunIdIn(Collection<UUID> runs);

    List<Replica> findByKeyRunIdOrderByKeyRank(UUID run);
}

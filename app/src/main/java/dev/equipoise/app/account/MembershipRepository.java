package dev.equipoise.app.account;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface MembershipRepository extends JpaRepository<Membership, Membership.Key> {

    List<Membership> findByKeyUserId(UUID user);

    List<Membership> findByKeyProjectIdOrderBySince(UUID project);
}

// SPDX-License-Identifier: MIT
// Orocos KDL as a peer. Segments have the frame of the next joint at their tip, so that every joint but the first turns
// about z of the previous segment: the cheapest form in KDL.
#include <Eigen/Cholesky>
#include <cstdio>
#include <exception>
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/config.h>

#include "peer.h"

namespace
{

struct Arm
{
  explicit Arm(const KDL::Chain& robot, const KDL::Vector& gravity)
      : chain(robot), n(robot.getNrOfJoints()), newton_euler(chain, gravity),
        parameters(chain, gravity), forward(chain, gravity), q(n), qd(n), x(n), y(n), zero(n), M(n),
        none(robot.getNrOfSegments(), KDL::Wrench::Zero()), cholesky(n)
  {
  }

  KDL::Chain chain;
  unsigned n;
  KDL::ChainIdSolver_RNE newton_euler;
  KDL::ChainDynParam parameters;
  KDL::ChainFdSolver_RNE forward;
  KDL::JntArray q, qd, x, y, zero;
  KDL::JntSpaceInertiaMatrix M;
  KDL::Wrenches none;  // external
  Eigen::LLT<Eigen::MatrixXd> cholesky;
};

KDL::Frame frame_of(const PeerJoint& joint)
{
  const double* R = joint.R;
  return KDL::Frame(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                    KDL::Vector(joint.p[0], joint.p[1], joint.p[2]));
}

// The body's inertia in the frame of its segment's tip, which is at `tip` in the body frame.
KDL::RigidBodyInertia body_of(const PeerJoint& joint, const KDL::Frame& tip)
{
  const double* I = joint.inertia;
  return tip.Inverse() * KDL::RigidBodyInertia(joint.mass, KDL::Vector(joint.com[0], joint.com[1], joint.com[2]),
                                               KDL::RotationalInertia(I[0], I[1], I[2], I[3], I[4], I[5]));
}

KDL::Joint joint_of(const PeerJoint& joint, bool first)
{
  const KDL::Frame place = frame_of(joint);
  const bool still       = place == KDL::Frame::Identity();
  if (!first || still) return KDL::Joint(joint.slides ? KDL::Joint::TransZ : KDL::Joint::RotZ);
  return KDL::Joint(place.p, place.M.UnitZ(), joint.slides ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
}

KDL::Chain chain_of(const PeerRobot& robot)
{
  KDL::Chain chain;
  for (int i = 0; i < robot.n; ++i)
  {
    const KDL::Frame tip = i + 1 < robot.n ? frame_of(robot.joints[i + 1]) : KDL::Frame::Identity();
    const KDL::Frame from = i == 0 ? frame_of(robot.joints[0]) * tip : tip;
    chain.addSegment(KDL::Segment(joint_of(robot.joints[i], i == 0), from, body_of(robot.joints[i], tip)));
  }
  return chain;
}

void* create(const PeerRobot* robot, char* message, size_t size)
{
  for (int i = 0; i < robot->n; ++i)
    if (robot->joints[i].parent != i - 1)
    {
      std::snprintf(message, size, "its chain solvers do not support branches");
      return nullptr;
    }
  try
  {
    const double* g = robot->gravity;
    return new Arm(chain_of(*robot), KDL::Vector(g[0], g[1], g[2]));
  }
  catch (const std::exception& error)
  {
    std::snprintf(message, size, "%s", error.what());
    return nullptr;
  }
}

void destroy(void* context)
{
  delete static_cast<Arm*>(context);
}

void take(KDL::JntArray& to, const double* from)
{
  to.data = Eigen::Map<const Eigen::VectorXd>(from, to.data.size());
}

void give(const KDL::JntArray& from, double* to)
{
  Eigen::Map<Eigen::VectorXd>(to, from.data.size()) = from.data;
}

void inverse(void* context, const double* q, const double* qd, const double* qdd, double* tau)
{
  Arm& arm = *static_cast<Arm*>(context);
  take(arm.q, q);
  take(arm.qd, qd);
  take(arm.x, qdd);
  arm.newton_euler.CartToJnt(arm.q, arm.qd, arm.x, arm.none, arm.y);
  give(arm.y, tau);
}

void inertia(void* context, const double* q, const double*, const double*, double*)
{
  Arm& arm = *static_cast<Arm*>(context);
  take(arm.q, q);
  arm.parameters.JntToMass(arm.q, arm.M);
}

void read_inertia(void* context, double* M)
{
  const Arm& arm = *static_cast<Arm*>(context);
  Eigen::Map<Eigen::MatrixXd>(M, arm.n, arm.n) = arm.M.data;  // symmetric: column order equals row order
}

void forward(void* context, const double* q, const double* qd, const double* tau, double* qdd)
{
  Arm& arm = *static_cast<Arm*>(context);
  take(arm.q, q);
  take(arm.qd, qd);
  take(arm.x, tau);
  arm.forward.CartToJnt(arm.q, arm.qd, arm.x, arm.none, arm.y);
  give(arm.y, qdd);
}

void forward_by_cholesky(void* context, const double* q, const double* qd, const double* tau, double* qdd)
{
  Arm& arm = *static_cast<Arm*>(context);
  inertia(context, q, nullptr, nullptr, nullptr);
  take(arm.qd, qd);
  arm.newton_euler.CartToJnt(arm.q, arm.qd, arm.zero, arm.none, arm.y);
  arm.cholesky.compute(arm.M.data);
  Eigen::Map<Eigen::VectorXd> out(qdd, arm.n);
  out = Eigen::Map<const Eigen::VectorXd>(tau, arm.n) - arm.y.data;
  arm.cholesky.solveInPlace(out);
}

const PeerMethod METHODS[] = {
    {PEER_INVERSE, "ChainIdSolver_RNE", inverse, nullptr},
    {PEER_INERTIA, "ChainDynParam", inertia, read_inertia},
    {PEER_FORWARD, "ChainFdSolver_RNE", forward, nullptr},
    {PEER_FORWARD, "ChainDynParam+Eigen LLT", forward_by_cholesky, nullptr},
};

const Peer PEER = {PEER_INTERFACE, "KDL", KDL_VERSION_STRING, create, destroy, sizeof METHODS / sizeof *METHODS, METHODS};

}  // namespace

const Peer* peer_interface(void)
{
  return &PEER;
}
